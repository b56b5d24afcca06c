import { texts } from '../../texts.ts'

const MAX_LENGTH = 255
const MAX_LINES = 10

/** Counts code points, like the server. */
export const lengthProblem = (text: string): string | undefined =>
  [...text.trim()].length > MAX_LENGTH ? texts.settings.tooLong(MAX_LENGTH) : undefined

export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function postalAddressProblem(text: string): string | undefined {
  const lines = text.trim().split('\n')
  if (lines.length > MAX_LINES) return texts.settings.tooManyLines
  return lines.map(lengthProblem).find((problem) => problem !== undefined)
}

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

function urlProblem(line: string, at: number): string | undefined {
  const wrong = texts.settings.returnWrong(at)
  if (!URL.canParse(line)) return wrong
  const { protocol, hostname, username } = new URL(line)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOST.test(hostname))
  if (!isSafe || username !== '') return wrong
  return /[?#]/.test(line) ? texts.settings.returnNoQuery(at) : undefined
}

/** The first problem. The server checks more thoroughly. */
export function returnUrlsProblem(text: string): string | undefined {
  const problems = text.split('\n').map((line, at) => {
    const url = line.trim()
    return url === '' ? undefined : urlProblem(url, at + 1)
  })
  return problems.find((problem) => problem !== undefined)
}

export function graceProblem(text: string): string | undefined {
  const isDays = /^\d{1,2}$/.test(text.trim()) && Number(text) <= 60
  return isDays ? undefined : texts.settings.graceWrong
}
