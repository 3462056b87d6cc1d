import type { KernelFunctions } from './kernel.js';

// The types of Node 20 do not declare WebAssembly. These are the parts the encoder uses.
declare global {
  namespace WebAssembly {
    class Memory {
      constructor(descriptor: { initial: number });
      readonly buffer: ArrayBuffer;
    }
    const Module: new (bytes: Uint8Array) => object;
    class Instance {
      constructor(module: object, imports: { encoder: { memory: Memory } });
      readonly exports: KernelFunctions;
    }
  }
}
