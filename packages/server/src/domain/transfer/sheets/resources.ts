import { pushTo } from '../../../push-to.ts'
import { foldCase } from '../../../unicode.ts'
import type { ResourceRow } from '../../resources/resources.ts'

type Named = Pick<ResourceRow, 'rid' | 'name'>

const folded = (text: string) => foldCase(text).trim()

/** A refusal is made for each row, and thousands of them are kept until their batch is done, so it names only a few resources
 * and shortens what is quoted. */
const MAX_NAMED = 3
const MAX_QUOTED = 60
const MAX_LABEL = 120

const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

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
    const key = folded(text)
    const named = this.#byName.get(key) ?? []
    if (named.length === 1) return { value: named[0] as string }
    const labelled = this.#byLabel.get(key)
    if (labelled !== undefined) return { value: labelled }
    const quoted = `“${cut(text, MAX_QUOTED)}”`
    return named.length > 1
      ? `several resources are called ${quoted}: write ${this.#choices(named)}`
      : `there is no resource ${quoted}`
  }

  /** The labels of a few resources. Where those are long, their rids, which can be written as well. */
  #choices(rids: readonly string[]): string {
    const names = rids.slice(0, MAX_NAMED).map((rid) => {
      const label = this.labelOf(rid)
      return cut(label.length > MAX_LABEL ? rid : label, MAX_LABEL)
    })
    const more = rids.length - names.length
    return names.join(' or ') + (more > 0 ? `, or one of ${more.toLocaleString('en')} more` : '')
  }
}
