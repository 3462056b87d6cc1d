import { readdir, readFile, readlink } from 'node:fs/promises';

/** How many files below a folder this process has open. Linux only. */
export async function openFiles(folder: string): Promise<number> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((path) => path.startsWith(folder)).length;
}

/** How many files below a folder this process has mapped, removed ones included. Linux only. */
export async function mappedFiles(folder: string): Promise<number> {
  const maps = (await readFile('/proc/self/maps', 'utf8')).split('\n');
  return maps.filter((line) => line.includes(` ${folder}`)).length;
}
