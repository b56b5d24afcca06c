import { createInterface } from 'node:readline/promises'
import { OperatorError } from '../errors.ts'

/** Asks for confirmation; without a terminal, `--yes` is required. */
export async function requireYes({ yes }: { yes?: boolean }, question: string): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY)
    throw new OperatorError(`${question} Nothing was changed; pass --yes to confirm`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} (yes/no) `)
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError('nothing was changed')
}
