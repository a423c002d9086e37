// SPDX-License-Identifier: MIT
// Bytes that the server has compressed as raw deflate and encoded as base64 (docs/page-protocol.md).

export async function unpack(packed: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Response(stream).arrayBuffer()
}
