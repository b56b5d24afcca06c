import { required } from '../components/forms/use-form.ts'
import { texts } from '../texts.ts'

const SHORTEST = 10

/** The server's rules, checked while typing. */
export function passwordProblem(password: string, email: string): string | undefined {
  const left = SHORTEST - [...password].length
  if (password === '') return required(password)
  if (left > 0) return texts.link.tooShort(left)
  return password.trim().toLowerCase() === email.trim().toLowerCase()
    ? texts.link.isEmail
    : undefined
}
