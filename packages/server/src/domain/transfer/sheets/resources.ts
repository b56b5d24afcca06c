import { pushTo } from '../../../push-to.ts'
import type { ResourceRow } from '../../resources/resources.ts'

type Named = Pick<ResourceRow, 'rid' | 'name'>

const folded = (text: string) => text.normalize('NFC').trim().toLowerCase()

/** Finds the resource that a cell of an imported sheet names, and the name that an export writes for a resource. */
export class ResourceNameIndex {
  readonly #rids: ReadonlySet<string>
  readonly #byName = new Map<string, string[]>()
  readonly #labels = new Map<string, string>()
  readonly #byLabel = new Map<string, string>()

  constructor(resources: readonly Named[]) {
    this.#rids = new Set(resources.map(({ rid }) => rid))
    for (const { rid, name } of resources) pushTo(this.#byName, folded(name), rid)
    for (const { rid, name } of resources) {
      const label = this.#isClear(rid, name) ? name : `${name} (${rid})`
      this.#labels.set(rid, label)
      this.#byLabel.set(folded(label), rid)
    }
  }

  /** Whether a name means one resource, and would not be taken for the rid of another. */
  #isClear(rid: string, name: string): boolean {
    const isOther = name !== rid && this.#rids.has(name)
    return !isOther && this.#byName.get(folded(name))?.length === 1
  }

  /** The name to write, with the rid where several resources have the same name. */
  labelOf(rid: string): string {
    return this.#labels.get(rid) ?? rid
  }

  /** Finds a resource by its rid, its name in any case, or its label. */
  read(text: string): { value: string } | string {
    if (this.#rids.has(text)) return { value: text }
    const named = this.#byName.get(folded(text)) ?? []
    if (named.length === 1) return { value: named[0] as string }
    const labelled = this.#byLabel.get(folded(text))
    if (labelled !== undefined) return { value: labelled }
    if (named.length > 1) {
      return `several resources are called “${text}”: write ${named.map((rid) => this.labelOf(rid)).join(' or ')}`
    }
    return `there is no resource “${text.slice(0, 60)}”`
  }
}
