import { textsIn } from '../../language.ts'

const en = {
  title: 'Gatehouse',
  intro: 'This server sells access to paid content and tells websites and apps who has it.',
  links: {
    dashboard: { label: 'Dashboard', text: 'For the team: readers, sales and settings.' },
    reference: { label: 'API reference', text: 'For developers: every endpoint, with examples.' },
    health: { label: 'Health', text: 'Whether the server and its databases are ready.' },
  },
  forReaders:
    'Did you buy something? Use the link in the email you got, or go back to the site that sent you here.',
}

export const homeTexts = textsIn({ en })
