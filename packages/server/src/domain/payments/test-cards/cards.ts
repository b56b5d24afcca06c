interface TestCard {
  number: string
  /** Says what the card does, at the checkout and in later charges. */
  name: string
}

export const TEST_CARDS = [
  { number: '4242424242424242', name: 'good' },
  { number: '4000000000000002', name: 'declined' },
  { number: '4000000000000341', name: 'declined_later' },
  { number: '4000002760003184', name: 'needs_payer' },
  { number: '4000000000000259', name: 'disputed' },
  { number: '4000000000000119', name: 'hangs' },
  { number: '4000000000000127', name: 'times_out' },
] as const satisfies readonly TestCard[]

export type CardName = (typeof TEST_CARDS)[number]['name']

const digitsOf = (number: string) => number.replace(/[\s-]/g, '')

/** Finds a test card by its number, which may contain spaces and hyphens. */
export const findTestCard = (number: string) =>
  TEST_CARDS.find((card) => card.number === digitsOf(number))

/** Why charging a saved card fails without its holder present. */
export const REFUSALS: Partial<Record<CardName, 'declined' | 'needs_payer'>> = {
  declined: 'declined',
  declined_later: 'declined',
  needs_payer: 'needs_payer',
}
