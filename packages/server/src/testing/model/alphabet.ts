import type { Kind } from './kind.ts'
import { accessKinds } from './kinds/access.ts'
import { buyingKinds } from './kinds/buying.ts'
import { moneyKinds } from './kinds/money.ts'
import { peopleKinds } from './kinds/people.ts'
import { providerKinds } from './kinds/provider.ts'
import { readingKinds } from './kinds/reading.ts'
import { runningKinds } from './kinds/running.ts'

/** All kinds of operations in histories. */
export const ALPHABET: readonly Kind[] = [
  ...accessKinds,
  ...peopleKinds,
  ...buyingKinds,
  ...moneyKinds,
  ...providerKinds,
  ...runningKinds,
  ...readingKinds,
]

const wanted = process.env.MODEL_KINDS?.split(',')

/** The kinds that histories are drawn from; `MODEL_KINDS=grant,buy,merge` limits them to a few. */
export const DRAWN: readonly Kind[] = ALPHABET.filter(({ name }) => wanted?.includes(name) ?? true)
