// Writes large files of pseudo-random bytes, the same for the same seed.
import { createCipheriv, createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

const PIECE = 1024 * 1024

/** Resolves to the checksum of the file. */
export async function writeLargeFile(path, size, seed) {
  const key = createHash('sha256').update(`${seed}`).digest().subarray(0, 16)
  const cipher = createCipheriv('aes-128-ctr', key, Buffer.alloc(16))
  const hash = createHash('sha256')
  const file = createWriteStream(path)
  const zeros = Buffer.alloc(PIECE)
  for (let left = size; left > 0; left -= PIECE) {
    const piece = cipher.update(zeros.subarray(0, Math.min(left, PIECE)))
    hash.update(piece)
    if (!file.write(piece)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
  return hash.digest('hex')
}
