import { hotelAccents } from '../../../../services/kernel/base/colours/colours.ts'
import { createStore } from './store.ts'

/** How a hotel shows itself. The last one is kept on this device, for its next sign-in. */
export type HotelBrand = { name: string; logo: string | null; picture: string | null; colour: string }

const brandKey = 'front.brand'
const storedBrand = localStorage.getItem(brandKey)

export const brand = createStore<HotelBrand | undefined>(
  storedBrand ? (JSON.parse(storedBrand) as HotelBrand) : undefined,
)

/** Shows the client in a hotel's name and colour, and keeps them. */
export function adoptBrand(next: HotelBrand): void {
  localStorage.setItem(brandKey, JSON.stringify(next))
  brand.set(next)
  showBrand()
}

/** Applies the colour of a hotel, else of the kept one, to the page, the icon and the manifest. */
export function showBrand(current: HotelBrand | undefined = brand.get()): void {
  if (!current) return
  const { light, dark } = hotelAccents(current.colour)
  document.documentElement.style.setProperty('--hotel', `light-dark(${light}, ${dark})`)
  const query = new URLSearchParams({ colour: light, name: current.name })
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=manifest], link[type="image/svg+xml"]'))
    link.href = `${link.href.split('?')[0]}?${query}`
}
