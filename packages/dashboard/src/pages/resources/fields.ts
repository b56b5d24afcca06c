import { required } from '../../parts/forms/use-form.ts'
import { texts } from '../../texts.ts'

export type Described = {
  name: string
  url: string
  image: string
  description: string
}

/** Checks a URL while it is typed, as the server will. */
function addressProblem(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const isAddress = /^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed)
  return isAddress ? undefined : texts.resources.notAnAddress
}

export const checkDescribed = ({ name, url, image }: Described) => ({
  name: required(name),
  url: addressProblem(url),
  image: addressProblem(image),
})

export const trimmed = ({ name, url, image, description }: Described) => ({
  name: name.trim(),
  url: url.trim(),
  image: image.trim(),
  description: description.trim(),
})

const MAX_SUGGESTION = 60

/** Suggests a rid for a name: `Été 2027!` becomes `ete-2027`. */
export function suggestRid(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
  const words = plain.replace(/[^\p{Letter}\p{Number}]+/gu, '-')
  return words.slice(0, MAX_SUGGESTION).replace(/^-+|-+$/g, '')
}
