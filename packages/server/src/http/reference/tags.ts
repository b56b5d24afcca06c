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
    description: 'Files behind resources, and links to them.',
    words: ['download', 'downloads'],
  },
  { name: 'Users', description: 'Who readers are.', words: ['user'] },
  { name: 'Events', description: 'What has changed, in order.', words: ['event'] },
  {
    name: 'Clock',
    description: 'The clock of the sandbox, which can be moved forward.',
    words: ['clock'],
  },
]

export const listTags = () => TAGS.map(({ name, description }) => ({ name, description }))

/** The tags of the endpoint at a path. */
export function tagsOf(path: string): string[] {
  const [, word = ''] = /^\/r2\/(\w+)/.exec(path) ?? []
  return TAGS.filter(({ words }) => words.includes(word)).map(({ name }) => name)
}
