import { requireThat } from './failure.ts'
import type { Opens } from './reference.ts'

/** An event as a site receives it. */
export interface ReceivedEvent {
  id: string
  type: string
  sequence?: number
  data: {
    uid?: string
    references?: string[]
    aliases?: string[]
    merged_uid?: string
    entitlements?: { rid: string; until?: number }[]
    rid?: string
    opens?: Opens
  }
}

/** The facts that the site knows about a reader. */
interface KnownReader {
  references: string[]
  aliases: string[]
  entitlements: { rid: string; until?: number }[]
}

const NO_READER: KnownReader = { references: [], aliases: [], entitlements: [] }

/** A site that knows its readers by events alone, and does with them the least that the documentation asks for. */
export class EventConsumer {
  cursor: string | undefined
  /** Everything that it has received, in order. */
  log: { id: string; type: string; uid: string | undefined; sequence: number | undefined }[] = []
  /** Uids of readers whom an import has changed without events. */
  importedSilently = new Set<string>()
  readers = new Map<string, KnownReader>()
  opens = new Map<string, Opens>()
  sequences = new Map<string, number>()

  copy(): EventConsumer {
    return Object.assign(new EventConsumer(), structuredClone({ ...this }))
  }

  take(event: ReceivedEvent): void {
    const { id, type, sequence, data } = event
    const { uid } = data
    const isNew = !this.log.some((one) => one.id === id)
    requireThat(isNew, 'events', 'a cursor brings an event twice', () => event)
    if (uid !== undefined && sequence !== undefined) this.#count(uid, sequence, event)
    this.log.push({ id, type, uid, sequence })
    if (type === 'catalogue.changed' && data.opens) this.opens.set(data.rid ?? '', data.opens)
    if (uid !== undefined && type.startsWith('user.')) this.#apply(uid, type, data)
  }

  /** A merge continues from the higher number of the two. */
  #count(uid: string, sequence: number, event: ReceivedEvent): void {
    const last = this.sequences.get(uid) ?? 0
    const isNext = sequence === last + 1 || (event.type === 'user.merged' && sequence > last)
    requireThat(isNext, 'events', 'the events about a reader have a gap', () => ({ last, event }))
    this.sequences.set(uid, sequence)
  }

  #apply(uid: string, type: string, data: ReceivedEvent['data']): void {
    if (type === 'user.erased') {
      this.readers.delete(uid)
      return
    }
    if (type === 'user.merged') this.readers.delete(data.merged_uid ?? '')
    const { references, aliases, entitlements } = this.readers.get(uid) ?? NO_READER
    this.readers.set(uid, {
      references: data.references ?? references,
      aliases: data.aliases ?? aliases,
      entitlements: data.entitlements ?? entitlements,
    })
    if (type === 'user.access_changed') this.importedSilently.delete(uid)
  }

  /** Decides as the site would, without asking the service. */
  mayRead(name: string, rid: string, now: number): boolean {
    const all = [...this.readers]
    const byName = all.find(
      ([, { references, aliases }]) => references.includes(name) || aliases.includes(name),
    )
    const byUid = all.find(([uid]) => uid === name)
    const [, { entitlements }] = byName ?? byUid ?? ['', NO_READER]
    const live = entitlements.filter(({ until }) => until === undefined || until > now)
    return live.some((one) => one.rid === rid || this.#opensTo(one.rid, rid))
  }

  #opensTo(pass: string, rid: string): boolean {
    const { rids, prefixes, all } = this.opens.get(pass) ?? { rids: [], prefixes: [], all: false }
    return all || rids.includes(rid) || prefixes.some((prefix) => rid.startsWith(prefix))
  }
}
