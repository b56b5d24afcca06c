import type { CopyChange, CopyItem } from '@gatehouse/server/dashboard-api'
import type { EnvironmentName } from '../../../app-scope.ts'
import { formatBytes } from '../../../format.ts'
import { texts } from '../../../texts.ts'

const words = texts.copying

export const otherEnvironment = (name: EnvironmentName): EnvironmentName =>
  name === 'production' ? 'sandbox' : 'production'

/** Identifies an item of a preview. */
export const keyOf = ({ kind, rid }: Pick<CopyItem, 'kind' | 'rid'>): string => `${kind} ${rid}`

export const nameOf = ({ kind, name }: Pick<CopyItem, 'kind' | 'name'>): string =>
  kind === 'resource' ? name : words.nameOf[kind]

export const canBeCopied = ({ status }: CopyItem): boolean =>
  status === 'new' || status === 'changed'

/** The fields whose values are too long to be shown. */
const LONG_FIELDS: readonly string[] = ['description']

/** Describes a change in one line. */
export function describeChange(item: CopyItem, change: CopyChange): string {
  switch (change.kind) {
    case 'text': {
      const { field, before, after } = change
      const label = words.fields[field]
      return LONG_FIELDS.includes(field)
        ? words.textChange(label, after === '')
        : words.fieldChange(label, before, after)
    }
    case 'image':
      return (item.kind === 'brand' ? words.logo : words.image)[change.change]
    case 'price': {
      const { before, after } = change
      if (before !== null && after !== null) return words.priceChange(before, after)
      return after === null ? words.priceEnd(before ?? '') : words.priceNew(after)
    }
    case 'file':
      return words.file[change.change](change.name, formatBytes(change.bytes))
    case 'file_order':
      return words.fileOrder
    case 'opens':
      return words.opens(change.added, change.removed, change.all)
    case 'template':
      return words.template[change.change](templateName(change.template))
  }
}

function templateName(kind: Extract<CopyChange, { kind: 'template' }>['template']): string {
  return kind === 'grant' ? texts.copying.grantMail : texts.settings.mailKinds[kind]
}
