/** What was sent to the fake Stripe, or by it, and contradicts Stripe's own types. */
const violations = new Set<string>()

export const noteViolation = (text: string): void => void violations.add(text)

/** Returns the violations so far and forgets them, for tests that cause them on purpose. */
export function takeViolations(): string[] {
  const all = [...violations]
  violations.clear()
  return all
}

/** Fails the test that has just run if it caused a violation, whatever the service made of the answer. */
export function requireNoViolations(): void {
  const all = takeViolations()
  if (all.length === 0) return
  throw new Error(
    `Stripe's own types contradict ${all.length} thing(s) in this test:\n  ${all.join('\n  ')}\n` +
      'docs/internals/payments-judged.md says what to do.',
  )
}
