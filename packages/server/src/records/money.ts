/** An amount in minor units, as the dashboard gets it. */
export interface MinorMoney {
  /** In minor units, such as cents. */
  amount: number
  /** ISO 4217. */
  currency: string
}

export const pickMinorMoney = ({ amount, currency }: MinorMoney): MinorMoney => ({
  amount,
  currency,
})
