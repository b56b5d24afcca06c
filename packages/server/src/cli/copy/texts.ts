import type { Change, CopyItem, FileChange } from '../../domain/copy/compare.ts'
import type { CopyItemResult, CopyProblem } from '../../domain/copy/outcome.ts'
import type { Obstacle } from '../../domain/copy/plan.ts'
import { formatTerms } from '../../domain/resources/price-text.ts'
import { formatBytes } from '../bytes.ts'

const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  archived_in_source: "can't be copied: it is archived",
  archived_in_target: "can't be copied: it is archived where it would be copied to",
  too_many_files: "can't be copied: it would have more than 100 files",
}

const PROBLEMS: Readonly<Record<CopyProblem, string>> = {
  changed: 'not copied: somebody changed it meanwhile; copy it again',
  file_missing: 'not copied: a file is damaged or missing; see gatehouse doctor --deep',
  storage_unavailable: "not copied: the file storage can't be reached; copy it again later",
  storage_full: 'not copied: the disk is full',
}

const FILE_CHANGES: Readonly<Record<FileChange, string>> = {
  added: 'new file',
  replaced: 'new content of the file',
  described: 'changed texts of the file',
  published: 'published the file',
  withdrawn: 'withdrawn file',
}

function describeChange(change: Change): string {
  switch (change.kind) {
    case 'text':
      return change.field.replaceAll('_', ' ')
    case 'image':
      return `image ${change.change}`
    case 'price': {
      const { before, after } = change
      if (before && after) return `price ${formatTerms(before)} -> ${formatTerms(after)}`
      if (after) return `new price ${formatTerms(after)}`
      return before ? `archived price ${formatTerms(before)}` : ''
    }
    case 'file':
      return `${FILE_CHANGES[change.change]} ${change.name} (${formatBytes(change.bytes)})`
    case 'file_order':
      return 'order of the files'
    case 'opens':
      return change.all
        ? 'opens everything'
        : `opens ${change.added} more and ${change.removed} less`
    case 'template':
      return `${change.template.replaceAll('_', ' ')} ${change.change}`
  }
}

const nameOf = ({ kind, rid, name }: CopyItem) => (kind === 'resource' ? `${name} (${rid})` : '')

/** One line of a preview. */
export function describeItem(item: CopyItem): string[] {
  const { kind, status, obstacle, changes } = item
  const text = obstacle ? OBSTACLES[obstacle] : changes.map(describeChange).join('; ')
  return [kind, nameOf(item), status, text]
}

/** One line of what was done. */
export const describeResult = ({ item, problem }: CopyItemResult): string[] => [
  item.kind,
  nameOf(item),
  problem === null ? 'copied' : PROBLEMS[problem],
]
