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
    /** Of `service.restored`. */
    sequence?: number
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
  /** How the events arrive. A cursor brings each once and in order; webhooks may bring one again, and those of different
   * readers in any order. */
  readonly via: 'cursor' | 'webhooks'
  cursor: string | undefined
  /** Whether the service was restored since the last event, so that a cursor may bring events a second time, too. */
  mayRepeat = false
  /** Everything that it has received for the first time, in order. */
  log: { id: string; type: string; uid: string | undefined; sequence: number | undefined }[] = []
  /** Uids of readers whom an import has changed without events. */
  importedSilently = new Set<string>()
  readers = new Map<string, KnownReader>()
  opens = new Map<string, Opens>()
  sequences = new Map<string, number>()
  /** How many events were dropped because they were not higher than the last one of their reader. */
  dropped = 0
  #ids = new Set<string>()

  constructor(via: EventConsumer['via'] = 'cursor') {
    this.via = via
  }

  take(event: ReceivedEvent): void {
    const { id, type, sequence, data } = event
    const { uid } = data
    const isOrdered = this.via === 'cursor' && !this.mayRepeat
    const isNew = !this.#ids.has(id)
    requireThat(isNew || !isOrdered, 'events', 'a cursor brings an event twice', () => event)
    this.#ids.add(id)
    if (isNew) this.log.push({ id, type, uid, sequence })
    if (uid !== undefined && sequence !== undefined) {
      const last = this.sequences.get(uid) ?? 0
      const kind = 'an event is not higher than one about the same reader before it'
      requireThat(sequence > last || !isOrdered, 'events', kind, () => ({ last, event }))
      if (sequence <= last) {
        this.dropped++
        return
      }
      this.sequences.set(uid, sequence)
    }
    if (type === 'service.restored') this.#forgetBefore(data.sequence ?? 0)
    if (type === 'catalogue.changed' && data.opens) this.opens.set(data.rid ?? '', data.opens)
    if (uid !== undefined && type.startsWith('user.')) this.#apply(uid, event)
  }

  /** Forgets the readers about whom nothing was told again after a restore: there are none such. */
  #forgetBefore(sequence: number): void {
    for (const uid of this.readers.keys()) {
      if ((this.sequences.get(uid) ?? 0) < sequence) this.readers.delete(uid)
    }
  }

  #apply(uid: string, { type, sequence = 0, data }: ReceivedEvent): void {
    if (type === 'user.erased') {
      this.readers.delete(uid)
      this.#forgetMerged(data.references, sequence)
      return
    }
    this.#forgetMerged(data.aliases, sequence)
    const { references, aliases, entitlements } = this.readers.get(uid) ?? NO_READER
    this.readers.set(uid, {
      references: data.references ?? references,
      aliases: data.aliases ?? aliases,
      entitlements: data.entitlements ?? entitlements,
    })
    if (type === 'user.access_changed') this.importedSilently.delete(uid)
  }

  #forgetMerged(names: readonly string[] = [], sequence: number): void {
    for (const gone of names) {
      this.readers.delete(gone)
      // What is still on its way about somebody who was merged into this reader is older.
      this.sequences.set(gone, Math.max(sequence, this.sequences.get(gone) ?? 0))
    }
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
