import { pluralize } from '../format.ts'

interface Effect {
  holders: number
  gained: { readers: number }
  lost: { readers: number }
}

/** The texts about the other resources that a resource opens. */
export const opensTexts = {
  title: 'Opens other resources',
  lead: (name: string) => `Readers with access to ${name} can also see:`,
  empty:
    'This resource opens nothing but itself. Let it open others, and it becomes a pass: one price for many articles.',
  change: 'Change',
  dialogTitle: (name: string) => `What ${name} opens`,
  everything: {
    label: 'Everything',
    hint: 'All resources of this application, also those that you add later.',
  },
  chosen: 'These resources',
  noOthers: 'There are no other resources yet.',
  ids: {
    label: 'These resources',
    hint: 'Enter one resource ID per line. They need not exist yet.',
  },
  prefixes: {
    label: 'Everything whose ID begins with',
    hint: 'One prefix per line, such as magazine/. It also opens articles that are not listed here.',
  },
  beginsWith: (prefix: string) => `Everything whose ID begins with ${prefix}`,
  openedBy: 'Also open to readers with',
  effect: (name: string, { holders, gained, lost }: Effect): string => {
    if (holders === 0) return `Nobody has ${name} yet.`
    const changes = [
      ...(gained.readers > 0 ? [pluralize(gained.readers, 'reader gains', 'readers gain')] : []),
      ...(lost.readers > 0 ? [pluralize(lost.readers, 'reader loses', 'readers lose')] : []),
    ]
    if (changes.length === 0) {
      return `Nothing changes for the ${pluralize(holders, 'reader who has', 'readers who have')} ${name}.`
    }
    return `${changes.join(', ')} access immediately. No email is sent.`
  },
} as const
