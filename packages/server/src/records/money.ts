/** An amount in minor units, as the dashboard gets it. */
export interface MinorMoney {
  amount: number
  currency: string
}

export const pickMinorMoney = ({ amount, currency }: MinorMoney): MinorMoney => ({
  amount,
  currency,
})
