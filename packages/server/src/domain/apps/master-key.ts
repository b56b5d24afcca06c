import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from '../../durable-file.ts'
import { OperatorError } from '../../errors.ts'
import { describeFileError, fileExists } from '../../permissions.ts'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts private keys at rest with AES-256-GCM. The newest key seals; older keys can still open. */
export interface MasterKey {
  /** `binding` names the row and is authenticated too: a sealed text opens only with the binding that it was made with. */
  seal(text: string, binding: string): string
  open(sealed: string, binding: string): string
  /** Whether a text is sealed with the newest key. */
  isCurrent(sealed: string): boolean
  /** Where the keys come from, for error messages. */
  readonly origin: string
}

const nameOf = (key: Buffer) => createHash('sha256').update(key).digest('base64url').slice(0, 8)

/** `readKeys` returns the newest key first. It is called for each seal, and when a text names an unknown key. */
export function createMasterKey(origin: string, readKeys: () => readonly Buffer[]): MasterKey {
  let keys = readKeys()
  const find = (name: string) => keys.find((key) => nameOf(key) === name)
  return {
    origin,
    seal(text, binding) {
      keys = readKeys()
      const key = keys[0] as Buffer
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(binding))
      const sealed = Buffer.concat([
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return `${nameOf(key)}.${iv.toString('base64url')}.${sealed.toString('base64url')}`
    },
    open(sealed, binding) {
      const [name = '', iv = '', body = ''] = sealed.split('.')
      if (!find(name)) keys = mergeKeys(readKeys(), keys)
      const key = find(name)
      if (!key)
        throw new OperatorError(
          `the private keys were sealed under another master key than ${origin}`,
        )
      const bytes = Buffer.from(body, 'base64url')
      // Without this length, a text that was cut short would be checked by the 4 bytes of it that are left.
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(binding))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([
        decipher.update(bytes.subarray(0, -TAG_BYTES)),
        decipher.final(),
      ]).toString()
    },
    isCurrent: (sealed) => sealed.startsWith(`${nameOf(keys[0] as Buffer)}.`),
  }
}

/** Keeps dropped keys in memory, to open texts that were read from the database before the rotation ended. */
function mergeKeys(fresh: readonly Buffer[], known: readonly Buffer[]): readonly Buffer[] {
  return [...fresh, ...known.filter((key) => !fresh.some((one) => one.equals(key)))]
}

const fileOf = (folder: string) => join(folder, 'master.key')

export function hasKeyFile(folder: string): boolean {
  const path = fileOf(folder)
  try {
    return fileExists(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

const unreadable = (path: string, error: unknown) =>
  new OperatorError(`the master key ${path} can't be read: ${describeFileError(error, path)}`)

/** One key per line, newest first. */
export function readKeyFile(folder: string): Buffer[] {
  const path = fileOf(folder)
  let text: string
  try {
    // Windows has no such modes. There the permissions of the folder apply.
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      throw new OperatorError(
        `the master key ${path} can be read by others; fix it with: chmod 600 ${path}`,
      )
    }
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw unreadable(path, error)
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const keys = lines.map((line) => Buffer.from(line.trim(), 'base64url'))
  if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new OperatorError(`the master key ${path} is damaged; bring back your copy of it`)
  }
  return keys
}

function writeKeyFile(folder: string, keys: readonly Buffer[]): void {
  // A half-written master key could not be recovered.
  writeDurably(fileOf(folder), keys.map((key) => `${key.toString('base64url')}\n`).join(''))
}

export function createKeyFile(folder: string): void {
  writeKeyFile(folder, [randomBytes(KEY_BYTES)])
}

/** First step of a rotation: new texts are sealed with the new key, old ones can still be opened. */
export function addKeyToFile(folder: string): void {
  writeKeyFile(folder, [randomBytes(KEY_BYTES), ...readKeyFile(folder)])
}

/** Last step of a rotation, once nothing is sealed with an older key. */
export function dropOldKeysFromFile(folder: string): void {
  writeKeyFile(folder, readKeyFile(folder).slice(0, 1))
}
