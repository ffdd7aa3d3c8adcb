const blockSize = 512

/**
 * Values in the order in which they were added. Removal leaves a hole, so that nothing moves; blocks count what lives in
 * them, so that a page is found without looking at every hole; when more than half are holes, they are closed.
 */
export class Order<T extends { at: number }> {
  size = 0
  #slots: (T | undefined)[] = []
  #lives: number[] = []

  add(value: T): void {
    value.at = this.#slots.length
    this.#slots.push(value)
    const block = Math.floor(value.at / blockSize)
    this.#lives[block] = (this.#lives[block] ?? 0) + 1
    this.size++
  }

  remove(value: T): void {
    this.#slots[value.at] = undefined
    this.#lives[Math.floor(value.at / blockSize)]!--
    this.size--
    if (this.size < this.#slots.length / 2 && this.#slots.length > blockSize) this.#close()
  }

  page(offset: number, limit: number): T[] {
    if (this.size === this.#slots.length) return this.#slots.slice(offset, offset + limit) as T[]
    let block = 0
    let passed = 0
    while (block < this.#lives.length && passed + this.#lives[block]! <= offset) passed += this.#lives[block++]!
    const page: T[] = []
    for (let at = block * blockSize; at < this.#slots.length && page.length < limit; at++) {
      const value = this.#slots[at]
      if (value !== undefined && passed++ >= offset) page.push(value)
    }
    return page
  }

  #close(): void {
    const living = this.#slots.filter(value => value !== undefined)
    this.#slots = []
    this.#lives = []
    this.size = 0
    for (const value of living) this.add(value)
  }
}
