/**
 * The currencies in which Stripe takes payments by card, by ISO 4217: the presentment currencies of
 * https://docs.stripe.com/currencies, in the order of that page, and those with three decimals, which it describes
 * separately. An account may offer fewer: those with three decimals and GHS depend on its country.
 */
export const STRIPE_CURRENCIES: ReadonlySet<string> = new Set(
  (
    'USD AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP ' +
    'CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ' +
    'ISK JMD JPY KES KGS KHR KMF KRW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN ' +
    'NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STD ' +
    'SZL THB TJS TOP TRY TTD TWD TZS UAH UGX UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ' +
    'BHD GHS JOD KWD OMR TND'
  ).split(' '),
)
