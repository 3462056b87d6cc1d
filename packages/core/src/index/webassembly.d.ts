import type { VectorKernel } from './vector-kernel.js';

// The types of Node 20 do not declare WebAssembly. These are the parts the vector kernel uses.
declare global {
  namespace WebAssembly {
    class Memory {
      readonly buffer: ArrayBuffer;
      grow(pages: number): number;
    }
    class Instance {
      readonly exports: VectorKernel;
    }
    function instantiate(bytes: Uint8Array): Promise<{ readonly instance: Instance }>;
  }
}
