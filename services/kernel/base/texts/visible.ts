const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]/u
const lineEnd = /[\p{Cc}\u2028\u2029]/u

/** Whether a text has no visible character. */
export const isBlank = (text: string): boolean => !visible.test(text)

/** Whether a text has neither line breaks nor control characters. */
export const isOneLine = (text: string): boolean => !lineEnd.test(text)
