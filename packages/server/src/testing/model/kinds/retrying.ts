import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import type { World } from '../world.ts'

/** Sends an earlier write again with its key. The model learns nothing of it: whatever it changes is found by the other
 * oracles after this operation. */
async function repeat(world: World, given: Args): Promise<string> {
  const { all } = world.writes
  const write = all[Math.floor(Number(given.which ?? 0) * all.length)]
  if (!write) return NOT_APPLICABLE
  const { shop, path, parameters, answer } = write
  const { status, text, headers } = await world.call(shop, 'POST', path, parameters)
  if (shop.isArchived) return `${status}`
  // The answers about a reader are erased with the reader.
  const isErased = status === 402 && JSON.parse(text).error.code === 'answer_erased'
  const isStored = text === answer && headers['idempotent-replayed'] === 'true'
  requireThat(isErased || isStored, 'agreement', 'a repeated write got another answer', () => ({
    ...{ path, parameters, status, text, answer },
  }))
  return `${status} ${path}`
}

export const retryingKinds: readonly OperationKind[] = [
  {
    name: 'repeat',
    weight: 6,
    reaches: [],
    draw: (draw) => ({ args: args({ which: draw.pick(['0', '0.3', '0.5', '0.8', '0.99']) }) }),
    play: repeat,
  },
]
