/** E-mail addresses are compared and stored without surrounding space and in lower case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()
