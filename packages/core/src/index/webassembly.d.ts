// The types of Node 20 do not declare WebAssembly. These are the parts the vector scan uses.
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function instantiate(bytes: Uint8Array): Promise<{ readonly instance: Instance }>;
}
