import type { UserRow } from './users.sql.ts'

/** What a sign-in of either version says of the password that it took. */
export function passwordFlags(user: Pick<UserRow, 'is_tmp_password' | 'is_first_login' | 'is_forced'>) {
  const { is_tmp_password, is_first_login, is_forced } = user
  return {
    isTmpPassword: is_tmp_password === 1,
    isFirstLogin: is_first_login === 1,
    requirePasswordChange: [is_tmp_password, is_first_login, is_forced].includes(1),
  }
}
