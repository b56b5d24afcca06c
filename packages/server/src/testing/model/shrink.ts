import type { Operation } from './script.ts'

/** Whether a shorter history still fails in the same way. */
type StillFails = (operations: readonly Operation[]) => Promise<boolean>

/**
 * Returns the shortest failing history that it finds within a number of tries, by delta debugging: it leaves out large
 * parts first, then single operations, then single values. Operations refer to each other by labels, so that one that
 * refers to a missing operation does nothing.
 */
export async function shrink(
  operations: readonly Operation[],
  stillFails: StillFails,
  tries: number,
): Promise<readonly Operation[]> {
  let left = tries
  const attempt = async (shorter: readonly Operation[]) => left-- > 0 && (await stillFails(shorter))
  const fewer = await leaveOut(operations, attempt)
  return await simplify(fewer, attempt)
}

async function leaveOut(
  operations: readonly Operation[],
  attempt: StillFails,
): Promise<readonly Operation[]> {
  let kept = operations
  for (
    let size = Math.ceil(kept.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    let isChanged = true
    while (isChanged) {
      isChanged = false
      // Start at the end: later operations depend on earlier ones, and are easier to leave out.
      for (let end = kept.length; end > 0; end -= size) {
        const shorter = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)]
        if (!(await attempt(shorter))) continue
        kept = shorter
        isChanged = size === 1
      }
    }
  }
  return kept
}

/** Leaves out values that an operation can do without. */
async function simplify(
  operations: readonly Operation[],
  attempt: StillFails,
): Promise<readonly Operation[]> {
  let kept = operations
  for (const [i, { args }] of operations.entries()) {
    for (const name of Object.keys(args)) {
      const one = kept[i] as Operation
      const { [name]: _, ...rest } = one.args
      const simpler = kept.with(i, { ...one, args: rest })
      if (await attempt(simpler)) kept = simpler
    }
  }
  return kept
}
