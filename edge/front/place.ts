/** Where the client's pages are: below a path, and in the address's path or fragment. */
export type FrontPlace = {
  /** Starts and ends with a slash. */
  path: string
  isHash: boolean
}

/**
 * The place of FRONT_BASE_URL.
 * @param address `http://localhost:8080`, `https://hotel.example/staff`, `https://hotel.example/#/`
 */
export function frontPlace(address: string): FrontPlace {
  const { pathname, hash } = new URL(address)
  return { path: pathname.endsWith('/') ? pathname : `${pathname}/`, isHash: hash !== '' || address.endsWith('#') }
}
