import { accessKinds } from './kinds/access.ts'
import { buyingKinds } from './kinds/buying.ts'
import { copyingKinds } from './kinds/copying.ts'
import { endingKinds } from './kinds/ending.ts'
import { fileKinds } from './kinds/files.ts'
import { moneyKinds } from './kinds/money.ts'
import { noteKinds } from './kinds/notes.ts'
import { passKinds } from './kinds/passes.ts'
import { peopleKinds } from './kinds/people.ts'
import { providerKinds } from './kinds/provider.ts'
import { readingKinds } from './kinds/reading.ts'
import { retryingKinds } from './kinds/retrying.ts'
import { runningKinds } from './kinds/running.ts'
import { shopWindowKinds } from './kinds/shop-window.ts'
import { shownKinds } from './kinds/shown.ts'
import { webhookKinds } from './kinds/webhooks.ts'
import type { OperationKind } from './operation-kind.ts'

/** All kinds of operations in histories. */
export const OPERATION_KINDS: readonly OperationKind[] = [
  ...accessKinds,
  ...endingKinds,
  ...shownKinds,
  ...passKinds,
  ...peopleKinds,
  ...noteKinds,
  ...buyingKinds,
  ...moneyKinds,
  ...providerKinds,
  ...runningKinds,
  ...fileKinds,
  ...shopWindowKinds,
  ...copyingKinds,
  ...readingKinds,
  ...retryingKinds,
  ...webhookKinds,
]

const wanted = process.env.MODEL_KINDS?.split(',')

/** The kinds that histories are drawn from; `MODEL_KINDS=grant,buy,merge` limits them to a few. */
export const DRAWN_KINDS: readonly OperationKind[] = OPERATION_KINDS.filter(
  ({ name }) => wanted?.includes(name) ?? true,
)

/** The same kinds with many more backups and restores among them: what sites hear of the time that is undone. */
export const RESTORING_KINDS: readonly OperationKind[] = DRAWN_KINDS.map((kind) =>
  kind.name === 'backup' || kind.name === 'restore' ? { ...kind, weight: 5 } : kind,
)
