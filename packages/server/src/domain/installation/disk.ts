import { statfs } from 'node:fs/promises'

/** The disk of a folder. */
export interface DiskSpace {
  free: number
  total: number
}

const GIB = 1024 ** 3

/** As much as a few changes need. With less, nothing can be written. */
export const NEEDED_BYTES = 64 * 1024

export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

/** Below 1 GiB or below 5 %: a large disk that is nearly full fills up as fast as a small one. */
export const isLow = ({ free, total }: DiskSpace) => free < GIB || free < total * 0.05
