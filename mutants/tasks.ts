import type { File, Suite, Test } from '@vitest/runner'

/** Stands for everything in a test file that is outside its tests. */
export const HOOKS = '(hooks)'

export const nameOf = (test: Test) => test.fullTestName ?? test.name

export function testsOf(suite: Suite | File): Test[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]))
}

/** Leaves only these tests to be run. */
export function select(suite: Suite | File, wanted: (test: Test) => boolean): boolean {
  let hasAny = false
  for (const task of suite.tasks) {
    const isWanted = task.type === 'suite' ? select(task, wanted) : wanted(task)
    if (!isWanted) task.mode = 'skip'
    hasAny ||= isWanted && task.mode !== 'skip'
  }
  if (!hasAny) suite.mode = 'skip'
  return hasAny
}

export function firstFailure(suite: Suite | File): string | undefined {
  for (const task of suite.tasks) {
    const found =
      task.type === 'suite' ? firstFailure(task) : task.result?.state === 'fail' && nameOf(task)
    if (found) return found
  }
  return suite.result?.state === 'fail' ? HOOKS : undefined
}
