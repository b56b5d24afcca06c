import { required } from '../../components/forms/use-form.ts'
import { texts } from '../../texts.ts'

export type ResourceFields = {
  name: string
  url: string
  image: string
  description: string
}

/** Checks a URL while it is typed, as the server will. */
function urlProblem(text: string): string | undefined {
  const trimResourceFields = text.trim()
  if (trimResourceFields === '') return undefined
  const isAddress = /^https?:\/\/\S+$/i.test(trimResourceFields) && URL.canParse(trimResourceFields)
  return isAddress ? undefined : texts.resources.notAnAddress
}

export const validateResourceFields = ({ name, url, image }: ResourceFields) => ({
  name: required(name),
  url: urlProblem(url),
  image: urlProblem(image),
})

export const trimmed = ({ name, url, image, description }: ResourceFields) => ({
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
