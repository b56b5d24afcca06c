import { cacheSuccess } from '../../cache-success.ts'
import type { EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import {
  checkDownloadToken,
  createDownloadToken,
  type DownloadLink,
  type DownloadTokenCheck,
} from '../../signing/download-links.ts'
import {
  checkFilesToken,
  createFilesToken,
  type FilesTokenCheck,
} from '../../signing/files-links.ts'
import { splitVersion, withVersion } from '../../signing/link-versions.ts'
import {
  checkManageToken,
  createManageToken,
  type LinkedRow,
  type ManageTokenCheck,
} from '../../signing/links.ts'
import { createLinkKeys, type LinkKeys } from './link-keys.ts'
import type { MasterKey } from './master-key.ts'
import { getOrCreateSecret } from './secrets.ts'

/** The manage link in an email may be used months later, when the next charge is near. */
const MAILED_LINK_LIFETIME: Seconds = 400 * 86_400

/** A link to files ends with the access. A reader who bought lifetime access still has it in an old email. */
const FILES_LINK_LIFETIME: Seconds = 3_650 * 86_400

/** The links that readers get, and what is kept of their keys. */
export interface ReaderLinks {
  /** The key of the digests that show who has had a trial. It is never replaced. */
  trialKey(): Promise<Buffer>
  /** Returns the URL at which a reader downloads a file. */
  downloadLink(link: DownloadLink): Promise<string>
  /** Decodes the token of such a link and checks its signature and expiry. The next two do the same. */
  readDownloadToken(token: string): Promise<DownloadTokenCheck>
  /** Returns the URL of the page where a reader manages a subscription. */
  manageLink(subscription: LinkedRow, now: Seconds, life?: Seconds): Promise<string>
  readManageToken(token: string): Promise<ManageTokenCheck>
  /** Returns the URL of the page with the files of an access record. Below it, each file has a page: `/ID`. */
  filesLink(access: LinkedRow, now: Seconds, life?: Seconds): Promise<string>
  readFilesToken(token: string): Promise<FilesTokenCheck>
}

interface LinkParts {
  /** The name of the environment. */
  name: string
  database: EnvironmentDatabase
  masterKey: MasterKey
  realTime(): Millis
  /** The public base URL, without a trailing slash. */
  address(): string
  /** The same for files and images, which can have a host of their own. */
  fileAddress(): string
}

type Refused = { ok: false; reason: 'invalid' }

/** Checks a token with the key of its version. A token whose key has ended is over, like one whose time has come. */
async function checkWith<C extends { ok: boolean; aid?: string | undefined }>(
  keys: LinkKeys,
  text: string,
  check: (key: Buffer, token: string) => C,
): Promise<C | Refused | { ok: false; reason: 'expired'; aid: string | undefined }> {
  const split = splitVersion(text)
  const found = split && (await keys.find(split.version))
  if (!found) return { ok: false, reason: 'invalid' }
  const checked = check(found.key, split.token)
  return checked.ok && found.isEnded ? { ok: false, reason: 'expired', aid: checked.aid } : checked
}

/** Signs and checks the links that readers get. */
export function createReaderLinks(parts: LinkParts, now: () => Seconds): ReaderLinks {
  const { name, database, masterKey, address, fileAddress, realTime } = parts
  const keysFor = createLinkKeys(database, masterKey, realTime)
  const pages = keysFor('links')
  const downloads = keysFor('downloads')
  async function sign(keys: LinkKeys, create: (key: Buffer) => string): Promise<string> {
    const { version, key } = await keys.current()
    return withVersion(version, create(key))
  }
  return {
    trialKey: cacheSuccess(() => getOrCreateSecret(database, masterKey, 'links')),
    async downloadLink(link) {
      const token = await sign(downloads, (key) => createDownloadToken(key, name, link))
      return `${fileAddress()}/d/${token}`
    },
    readDownloadToken: (token) =>
      checkWith(downloads, token, (key, text) => checkDownloadToken(key, name, text, now())),
    async manageLink(subscription, from, lifetime = MAILED_LINK_LIFETIME) {
      const end = from + lifetime
      return `${address()}/manage/${await sign(pages, (key) => createManageToken(key, subscription, end))}`
    },
    readManageToken: (token) =>
      checkWith(pages, token, (key, text) => checkManageToken(key, text, now())),
    async filesLink(access, from, lifetime = FILES_LINK_LIFETIME) {
      const end = from + lifetime
      return `${address()}/files/${await sign(pages, (key) => createFilesToken(key, access, end))}`
    },
    readFilesToken: (token) =>
      checkWith(pages, token, (key, text) => checkFilesToken(key, text, now())),
  }
}
