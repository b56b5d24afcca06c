import { FOREVER, type Seconds } from '../../db/tables.ts'
import { showMoney } from '../apps/currency.ts'
import type { Fact } from './html.ts'
import { button, fact, facts, link, type MailText, text } from './layout.ts'
import type { CanceledMail, PaymentFailedMail, TrialEndsMail } from './payloads.ts'
import { showDate, showDay, showEvery } from './plain-text.ts'

const FAILURES = new Map([
  [
    'declined',
    { why: 'your card was declined', advice: 'To keep your access, please update your card.' },
  ],
  [
    'needs_payer',
    {
      why: 'your bank wants you, as the holder of the card, to confirm the payment',
      advice: 'To keep your access, please enter your card once more: then your bank can ask you.',
    },
  ],
  [
    'no_card',
    { why: 'no card is saved for it', advice: 'To keep your access, please add a card.' },
  ],
])
const OTHER_FAILURE = {
  why: 'the payment did not go through',
  advice: 'To keep your access, please update your card.',
}

function failureOf(mail: PaymentFailedMail) {
  const { why, advice } = FAILURES.get(mail.failure) ?? OTHER_FAILURE
  const what = `We could not charge ${showMoney(mail.amount, mail.currency)} for your subscription to ${mail.resource}: ${why}.`
  return { what, advice }
}

/** Leaves the access out if it has no end date, since the subscription does not affect it. */
function accessFact({ at, ends }: { at: Seconds; ends: Seconds }): Fact {
  if (ends === FOREVER) return fact('Access')
  return fact(ends > at ? 'Access until' : 'Access ended', showDate(ends))
}

export function paymentFailed(mail: PaymentFailedMail, manage: string): MailText {
  const { at, ends, retry } = mail
  if (retry === null && (ends <= at || ends === FOREVER)) return endedUnpaid(mail, manage)
  const { what, advice } = failureOf(mail)
  // The grace period may continue after the last attempt.
  const last = `This was the last try: without a new card the subscription ends on ${showDate(ends)}.`
  return {
    subject: `your payment for ${mail.resource} failed`,
    heading: 'Your payment failed',
    body: [
      text(what),
      facts(
        fact('Subscription', mail.resource),
        fact('Amount', showMoney(mail.amount, mail.currency)),
        fact('Tried', showDate(at)),
        fact('Next try', retry === null ? '' : showDate(retry)),
        accessFact(mail),
      ),
      text(retry === null ? last : ''),
      text(advice),
      button('Update your card', manage),
    ],
  }
}

function endedUnpaid(mail: PaymentFailedMail, manage: string): MailText {
  return {
    subject: `your subscription to ${mail.resource} has ended`,
    heading: 'Your subscription has ended',
    body: [
      text(`${failureOf(mail).what} The subscription has ended, and we will not try again.`),
      facts(
        fact('Subscription', mail.resource),
        fact('Not paid', showMoney(mail.amount, mail.currency)),
        fact('Ended', showDate(mail.at)),
        accessFact(mail),
      ),
      link('See your subscription', manage),
    ],
  }
}

export function trialEnds(mail: TrialEndsMail, manage: string): MailText {
  const price = showMoney(mail.amount, mail.currency)
  return {
    subject: `your free trial of ${mail.resource} ends on ${showDay(mail.ends)}`,
    heading: 'Your free trial ends soon',
    body: [
      text(
        `Your free trial of ${mail.resource} ends on ${showDate(mail.ends)}. ` +
          `From then on it costs ${price} ${showEvery(mail.period)}.`,
      ),
      facts(
        fact('Subscription', mail.resource),
        fact('Free until', showDate(mail.ends)),
        fact('First payment', `${price} on ${showDate(mail.ends)}`),
        fact('After that', `${price} ${showEvery(mail.period)}`),
      ),
      text(
        'To keep it, you have nothing to do. ' +
          'If you cancel before the trial ends, nothing is charged.',
      ),
      button('Manage or cancel', manage),
    ],
  }
}

export function canceled(mail: CanceledMail, manage: string): MailText {
  const canResume = mail.ends > mail.at
  return {
    subject: `your subscription to ${mail.resource} is cancelled`,
    heading: 'Your subscription is cancelled',
    body: [
      text(`Your subscription to ${mail.resource} is cancelled: it will not be renewed.`),
      facts(
        fact('Subscription', mail.resource),
        fact('Cancelled', showDate(mail.at)),
        accessFact(mail),
      ),
      text(canResume ? 'Until then you can resume it, and it goes on as before.' : ''),
      canResume
        ? button('Resume your subscription', manage)
        : link('See your subscription', manage),
    ],
  }
}
