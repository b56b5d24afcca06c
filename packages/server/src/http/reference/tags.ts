/** The license of the contract, as OpenAPI writes it. */
export const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' }

/** The groups of endpoints. `words` are the first ones of their paths after `/r2/`. */
const TAGS = [
  {
    name: 'Access',
    description: 'Check, search, grant and revoke access.',
    words: ['access'],
  },
  {
    name: 'Subscriptions',
    description: 'Find, cancel and resume subscriptions.',
    words: ['subscription'],
  },
  { name: 'Payments', description: 'Find and refund payments.', words: ['payment'] },
  {
    name: 'Downloads',
    description: 'Find the files of resources, and make links to them.',
    words: ['download', 'downloads'],
  },
  { name: 'Users', description: 'Look up readers.', words: ['user'] },
  {
    name: 'Events',
    description: 'Read changes in the order in which they happened, and send them again.',
    words: ['event'],
  },
  {
    name: 'Clock',
    description: "Read the sandbox's clock, and move it forward.",
    words: ['clock'],
  },
]

export const listTags = () => TAGS.map(({ name, description }) => ({ name, description }))

/** The tags of the endpoint at a path. */
export function tagsOf(path: string): string[] {
  const [, word = ''] = /^\/r2\/(\w+)/.exec(path) ?? []
  return TAGS.filter(({ words }) => words.includes(word)).map(({ name }) => name)
}
