/** Lets staff connect the mail servers of the tests, which are on this machine. */
export const LOCAL_MAIL = { GATEHOUSE_MAIL_ALLOW: '127.0.0.0/8,::1' }
