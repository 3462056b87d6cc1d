/** `vectors.wat`, assembled; a test compares the two. */
export const kernelModule: string =
  'AGFzbQEAAAABPwlgAX8Be2ABewF9YAJ/fwF/YAN/f38BfWAEf399fwF9YAJ7fQF7YAN7e3sBe2AIf39/f31/f38AYAN/' +
  'f30BfwMKCQABAgMEBQYHCAUDAQABByUEBm1lbW9yeQIACnNpbWlsYXJpdHkAAwRwYWNrAAQEc2NhbgAHCosICWABAXsg' +
  'AP1dAwAhASAB/akBIQEgAf0MAIAAAACAAAAAgAAAAIAAAP1OQRD9qwEgAf0M/38AAP9/AAD/fwAA/38AAP1OQQ39qwH9' +
  'DAAAgHcAAIB3AACAdwAAgHf95gH9UAsZACAA/R8AIAD9HwGSIAD9HwIgAP0fA5KSC1sCAX8BeyAAIAFBBnRqIQIDQCAD' +
  'IAD9AAQA/Qz/f/9//3//f/9//3//f/9//U79mQEhAyAAQRBqIQAgACACSQ0ACyAD/QwAfAB8AHwAfAB8AHwAfAB8/Tb9' +
  'U0ULaAIBfwN7IAAgAhACRQRAQwAAwH8PCyAAIAJBBnRqIQMDQCAAEAAhBCAFIAQgAf0ABAD95gH95AEhBSAGIAQgBP3m' +
  'Af3kASEGIABBCGohACABQRBqIQEgACADSQ0ACyAFEAEgBhABkZULiwIDA38CfQV7IAAgAUEGdGohBCAAIQUDQCAFEAAh' +
  'CSANIAkgCf3mAf3kASENIAVBCGohBSAFIARJDQALIA0QAZEhByAHQwAAAABbIAAgARACRXIEQEMAAAAADwsgAiAHlSEI' +
  '/QwAAAAAAAAAAAAAAAAAAAAAIQ0DQP0MAAAAAAAAAAAAAAAAAAAAACEMQQAhBgNAIAAQACEJIAkgCBAFIQogDSAJIAoQ' +
  'BiENIABBCGoQACEJIAkgCBAFIQsgDSAJIAsQBiENIAwgCiAL/YUBIAb9iwH9UCEMIABBEGohACAGQQRqIQYgBkEQSQ0A' +
  'CyADIAz9CwQAIANBEGohAyAAIARJDQALIAcgDRABlQs4ACAAIAH9E/3mAf0MAAAAQQAAAEEAAABBAAAAQf3kAf35Af0M' +
  'DwAAAA8AAAAPAAAADwAAAP23AQsmACAAIAEgAv37Af0MAADwQAAA8EAAAPBAAADwQP3lAf3mAf3kAQvBAgICfwN7AkAD' +
  'QCAARQ0B/QwAAAAAAAAAAAAAAAAAAAAAIQv9DAAAAAAAAAAAAAAAAAAAAAAhDCABIQggAiEJA0AgBf0ABAAhCiALIAr9' +
  'DA8ADwAPAA8ADwAPAA8ADwD9TiAJ/QAEAP26Af2uASELIAwgCkEE/Y0B/QwPAA8ADwAPAA8ADwAPAA8A/U4gCf0ABBD9' +
  'ugH9rgEhDCALIApBCP2NAf0MDwAPAA8ADwAPAA8ADwAPAP1OIAn9AAQg/boB/a4BIQsgDCAKQQz9jQEgCf0ABDD9ugH9' +
  'rgEhDCAJQcAAaiEJIAVBEGohBSAIQQFrIQggCA0ACyALIAz9rgEhCyAHIAv9GwAgC/0bAWogC/0bAiAL/RsDamogAyAG' +
  'KgIAIASUEAg7AQAgB0ECaiEHIAZBBGohBiAAQQFrIQAMAAsLCxkAQwDwf0VDAAAARSAAIAFrsiAClJOW/AEL';

/** Components in a block: rows and queries are padded with zeros to whole blocks. */
export const blockLength = 32;
const pageSize = 65_536;

/** What `vectors.wat` exports, and says there. Places are addresses in bytes. */
export interface VectorKernel {
  readonly memory: WebAssembly.Memory;
  readonly similarity: (row: number, query: number, blocks: number) => number;
  readonly pack: (row: number, blocks: number, steps: number, out: number) => number;
  readonly scan: (
    rows: number,
    blocks: number,
    query: number,
    middle: number,
    unit: number,
    matrix: number,
    scales: number,
    distances: number,
  ) => void;
}

/** The kernel with room for so many bytes, all zero. */
export async function loadVectorKernel(bytes: number): Promise<VectorKernel> {
  const { instance } = await WebAssembly.instantiate(Buffer.from(kernelModule, 'base64'));
  instance.exports.memory.grow(Math.floor(bytes / pageSize));
  return instance.exports;
}
