/** The limits of what can be sold. In a file of their own, because the web app checks them while somebody types. */

/** In minor units. No provider accepts more than eight digits. */
export const MAX_AMOUNT = 99_999_999

export const MAX_TRIAL_DAYS = 365

/** The longest period in each unit: about ten years. */
export const MAX_PERIOD = { day: 3_650, week: 520, month: 120, year: 10 } as const
