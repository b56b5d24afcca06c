import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { OperatorError } from '../../errors.ts'

/** Far more than any key or password has. */
const MAX_INPUT = 10_000

/**
 * Reads secrets: from standard input, one per line, or by asking at a terminal, which does not show them. They are never
 * arguments, which other users of the machine can see.
 */
export async function readSecrets(questions: readonly string[]): Promise<string[]> {
  return process.stdin.isTTY ? await ask(questions) : await readLines(questions.length)
}

async function readLines(count: number): Promise<string[]> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.length > MAX_INPUT) throw new OperatorError('standard input is too long for a secret')
  }
  const lines = text.split(/\r?\n/)
  return Array.from({ length: count }, (_, index) => lines[index] ?? '')
}

async function ask(questions: readonly string[]): Promise<string[]> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true })
  const answers: string[] = []
  try {
    for (const question of questions) {
      process.stderr.write(question)
      answers.push(await terminal.question(''))
      process.stderr.write('\n')
    }
  } finally {
    terminal.close()
  }
  return answers
}
