import { LEGAL_LINK_TEXTS } from '../../domain/brand/texts.ts'
import type { FailureCode } from '../../errors.ts'
import { textsIn } from '../../language.ts'

export interface ErrorText {
  title: string
  text: string
}

/** The texts that readers see instead of an error's own message, which is written for developers. */
export type ErrorTexts = Partial<Record<FailureCode, ErrorText>>

/** It says nothing about the reader: whoever has the link may be a stranger. */
const LINK_ENDED: ErrorText = {
  title: 'This link no longer works',
  text: 'The seller has ended older links. Please open the link in a newer email from the seller, or ask the seller for a new one.',
}

/** Why a link from an email does not work, and which email has a newer one. */
export const mailedLinkErrors = (newestEmail: string): ErrorTexts => ({
  link_ended: LINK_ENDED,
  link_invalid: {
    title: 'This link does not work',
    text: `The link may be incomplete. ${newestEmail}`,
  },
  link_expired: { title: 'This link has expired', text: newestEmail },
})

const NOTHING_FOR_SALE = {
  title: 'Nothing is for sale here',
  text: 'This is not for sale at the moment.',
}

const inAbout = (seconds: number): string => {
  if (seconds > 90) return `in ${Math.ceil(seconds / 60)} minutes`
  return seconds > 5 ? `in ${seconds} seconds` : 'in a few seconds'
}

const en = {
  sandbox: { name: 'Sandbox.', text: 'This is a test environment. No money is charged.' },
  optional: '(optional)',
  checkForm: 'Please check your entries',
  /** Put before the page title, so that a screen reader announces it first. */
  titleWithError: (title: string) => `Error: ${title}`,
  tryAgain: 'Try again',
  sendFormAgain: 'Go back to the previous page and send the form again.',
  requestId: 'Request ID',
  files: {
    download: 'Download',
    downloadFile: (title: string) => `Download ${title}`,
  },
  footer: {
    soldBy: 'Sold by',
    support: 'Questions?',
    legal: LEGAL_LINK_TEXTS,
  },
  /** Before the address of the seller's support. */
  needHelp: 'Need help? Write to',
  developerNote: 'For developers',

  /** Errors that mean the same on every page. An area's own texts come first. */
  errors: {
    foreign_form: {
      title: 'This form was not sent from our page',
      text: 'To protect you, we accept this form only from its own page. Open the page and try again.',
    },
    method_not_allowed: {
      title: 'This page can’t be opened like this',
      text: 'Please open the link again from where you found it.',
    },
    link_ended: LINK_ENDED,
    on_hold: {
      title: 'This is paused',
      text: 'This is paused at the moment. Nothing was charged. Please try again later.',
    },
    payments_not_set_up: {
      title: 'Payment is not possible',
      text: 'This can’t be paid for here at the moment. Nothing was charged. Please contact the seller.',
    },
    currency_not_accepted: {
      title: 'Payment is not possible in this currency',
      text: 'The seller can’t take payments in the currency of this price. Nothing was charged. Please contact the seller.',
    },
    price_not_found: NOTHING_FOR_SALE,
    resource_archived: NOTHING_FOR_SALE,
    provider_unavailable: {
      title: 'The payment provider is not responding',
      text: 'The payment provider is not responding. Nothing was charged. Please try again in a moment.',
    },
    return_url_not_allowed: {
      title: 'This link is not set up correctly',
      text: 'The site that sent you here needs to fix its link. Please contact them.',
    },
  } satisfies ErrorTexts as ErrorTexts,

  notFound: {
    title: 'Page not found',
    text: 'The address may be incomplete. Please open the link again from where you found it.',
  },
  gone: {
    title: 'This is no longer available',
    text: 'Please ask where you got the link.',
  },
  /** The page for strangers where only members of the team may go. */
  membersOnly: {
    title: 'For the team only',
    text: 'This page is open to members of the team who are signed in to the dashboard in this browser.',
    openAgain: 'I am signed in: open the page',
    signIn: 'Sign in to the dashboard',
  },
  /** `wait` is the number of seconds after which to try again. */
  tooManyRequests: (wait = 60) => ({
    title: 'Too many requests',
    text: `Too much was sent in a short time. Please try again ${inAbout(wait)}.`,
  }),
  unavailable: {
    title: 'Temporarily unavailable',
    text: 'The service can’t answer right now. Please try again in a moment.',
  },
  serverError: {
    title: 'Something went wrong',
    text: 'An error occurred on our side. Please try again in a moment.',
  },
  badRequest: {
    title: 'This did not work',
    text: 'The link or the form is not valid. Please open it again from where you found it.',
  },
}

export type PageTexts = typeof en

export const pageTexts = textsIn<PageTexts>({ en })
