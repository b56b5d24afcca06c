import { seededRandom } from '../random.ts'
import type { OperationKind } from './operation-kind.ts'
import type { Args, Operation } from './script.ts'
import { RESOURCES } from './shop.ts'

/** Few names, so that operations meet the same people; some differ only in case, and one reference is an email. */
const EMAILS = [
  'ann@example.com',
  'Ann@Example.com',
  'bob@example.com',
  'cid@example.com',
  'dot@example.com',
]
const REFS = ['ann', 'Ann', 'bob', 'cid', 'x1', 'ann@example.com']

/** Draws a history from a seed. It knows which labels exist, and nothing about the service. */
export class Draw {
  readonly #random: () => number
  readonly labels: Record<'person' | 'tab' | 'backup' | 'hook', string[]> = {
    person: [],
    tab: [],
    backup: [],
    hook: [],
  }
  #count = 0

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  chance(share: number): boolean {
    return this.#random() < share
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T
  }

  /** Picks a kind at random, by weight. */
  kind(kinds: readonly OperationKind[]): OperationKind {
    const total = kinds.reduce((sum, { weight }) => sum + weight, 0)
    let at = this.#random() * total
    for (const kind of kinds) {
      at -= kind.weight
      if (at < 0) return kind
    }
    return kinds[0] as OperationKind
  }

  label(kind: keyof Draw['labels'], isPerson = false): string {
    const label = `${kind[0]}${++this.#count}`
    this.labels[kind].push(label)
    if (isPerson && kind !== 'person') this.labels.person.push(label)
    return label
  }

  app = () => (this.chance(0.85) ? 'a' : 'b')
  rid = () => this.pick(RESOURCES)
  /** A resource of one of the applications. */
  resource = () => ({ app: this.app(), rid: this.rid() })
  email = () => this.pick(EMAILS)

  /** A reference, or a uid from an earlier operation, whatever has become of that user. */
  ref(uids = 0.3): string {
    const { person } = this.labels
    return person.length > 0 && this.chance(uids) ? `@${this.pick(person)}` : this.pick(REFS)
  }

  /** One of the last eight people whom an operation has returned. */
  person(): string | undefined {
    const { person } = this.labels
    return person.length === 0 ? undefined : `@${this.pick(person.slice(-8))}`
  }

  /** Half of the time one of the last eight buyers, otherwise anybody recent. */
  buyer(): string | undefined {
    const { tab } = this.labels
    return tab.length > 0 && this.chance(0.5) ? `@${this.pick(tab.slice(-8))}` : this.person()
  }

  /** One of the last four checkouts that were started. */
  tab(): string | undefined {
    const { tab } = this.labels
    return tab.length === 0 ? undefined : this.pick(tab.slice(-4))
  }
}

/** Drops undefined values. */
export function args(values: Record<string, string | undefined>): Args {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Args
}

export function drawHistory(
  kinds: readonly OperationKind[],
  seed: number,
  steps: number,
): Operation[] {
  const draw = new Draw(seed)
  const operations: Operation[] = []
  while (operations.length < steps) {
    const { name, draw: drawOne } = draw.kind(kinds)
    const drawn = drawOne(draw)
    if (drawn) operations.push({ name, ...drawn })
  }
  return operations
}
