/** Why somebody has access to a resource, or not. */
export const accessReasonTexts = {
  why: {
    live: (end: string, because: string) => `Has access ${end}, through ${because}.`,
    renewed: (because: string) => `Has access through ${because}.`,
    liveBare: (end: string) => `Has access ${end}.`,
    expired: (day: string, because: string) => `Lost access on ${day}: ${because}.`,
    expiredBare: (day: string) => `No access: it ended on ${day}.`,
    revoked: (day: string) => `No access: it was revoked on ${day}.`,
    through: (pass: string, sentence: string) => `${sentence} It is part of ${pass}.`,
    never_granted: 'No access: it was never granted.',
    not_started: 'No access yet: it has not started.',
    user_unknown: 'No access: this person was erased.',
    application_archived: 'No access: the application is archived.',
  },
  because: {
    grant: (day: string) => `a grant on ${day}`,
    purchase: (sum: string, day: string) => `a purchase for ${sum} on ${day}`,
    disputed: (sum: string, day: string) => `a purchase for ${sum} on ${day}, which is disputed`,
    purchaseLater: (sum: string, day: string) => `a purchase for ${sum} that starts on ${day}`,
    trialing: (day: string) => `a subscription on trial until ${day}`,
    trialRenews: (day: string) => `a free trial that becomes a paid subscription on ${day}`,
    active: (day: string) => `a subscription paid until ${day}`,
    renews: (day: string) => `a subscription that renews on ${day}`,
    past_due: 'a subscription whose renewal is unpaid',
    canceled: (day: string) => `a canceled subscription paid until ${day}`,
  },
} as const
