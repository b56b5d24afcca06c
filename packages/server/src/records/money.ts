/** An amount in minor units, as the dashboard gets it. */
export interface MinorMoney {
  /** The amount, in minor units of the currency, such as cents. */
  amount: number
  /** ISO 4217 code of the currency, such as `EUR`. */
  currency: string
}

export const pickMinorMoney = ({ amount, currency }: MinorMoney): MinorMoney => ({
  amount,
  currency,
})
