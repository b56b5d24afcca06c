import { textsIn } from '../../language.ts'
import { type Html, html } from '../pages/html.ts'
import { type ErrorTexts, mailedLinkErrors } from '../pages/texts.ts'

/** Why a download link does not deliver its file. */
const en: ErrorTexts = {
  link_invalid: {
    title: 'This download link does not work',
    text: 'The link may be incomplete. Open it again from where you got it, or ask for a new one there.',
  },
  link_expired: {
    title: 'This download link has expired',
    text: 'Please ask for a new link where you got this one.',
  },
  link_ended: {
    title: 'This download link no longer works',
    text: 'The seller has ended older links. Please ask for a new one where you got this one.',
  },
  link_used: {
    title: 'This download link has been used up',
    text: 'The file was downloaded as often as this link allows. Please ask for a new link where you got this one.',
  },
  access_ended: {
    title: 'Your access has ended',
    text: 'This file can be downloaded only while you have access to it.',
  },
  download_not_found: {
    title: 'This file is no longer available',
    text: 'Please ask where you got the link.',
  },
  files_unavailable: {
    title: 'The file can’t be reached',
    text: 'The file can’t be delivered right now. Please try again in a moment.',
  },
  overloaded: {
    title: 'Too many downloads at once',
    text: 'Please wait until another download has finished, then try again.',
  },
  precondition_failed: {
    title: 'The file has changed',
    text: 'The file was replaced after your download began. Please start the download again.',
  },
  range_not_satisfiable: {
    title: 'The file has changed',
    text: 'The file has no such part. Please start the download again.',
  },
}

export const downloadErrorTexts = textsIn({ en })

const filesEn = {
  none: 'There are no files here at the moment.',
  allFiles: (count: number) => `All ${count} files`,
  lifetime: 'You have lifetime access.',
  comeBack: 'Come back to this page whenever you need the files again.',
  linkEnds: (moment: Html) => html`The link to this page works until ${moment}.`,
  until: (day: Html) => html`You have access until ${day}.`,
  ended: {
    heading: 'Your access has ended',
    text: (name: string) =>
      `The files of ${name} can be downloaded only while you have access to it. If you think that this is a mistake, please contact the seller.`,
    buyAgain: 'See current prices',
  },
  errors: {
    ...en,
    ...mailedLinkErrors(
      'Please open the link in the newest email from the seller, or ask for a new link where you got this one.',
    ),
    download_not_found: {
      title: 'This file is no longer available',
      text: 'The seller has removed it. Please go back to see what else there is.',
    },
  } satisfies ErrorTexts as ErrorTexts,
}

/** The pages on which a reader downloads what was bought. */
export const filesTexts = textsIn({ en: filesEn })
