// What Swift sees of libcrypto (OpenSSL 3). The functions are ours and few, so that neither OpenSSL's macros nor its hundreds of headers are
// imported, and so that what it returns for an error is looked at in one place.
#ifndef CLIBCRYPTO_H
#define CLIBCRYPTO_H

#include <stddef.h>
#include <stdint.h>

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/md5.h>
#include <openssl/sha.h>

// The state of a hash is a struct without pointers: a Swift value that is copied like any other and is freed by nobody. That is why
// these are the functions of the algorithms themselves, which OpenSSL 3 calls deprecated in favour of contexts on its heap. None of
// them can fail for the arguments that Swift passes.
static inline void clibcrypto_sha256_begin(SHA256_CTX *state) { (void)SHA256_Init(state); }
static inline void clibcrypto_sha256_add(SHA256_CTX *state, const void *bytes, size_t count) {
  (void)SHA256_Update(state, bytes, count);
}
static inline void clibcrypto_sha256_end(SHA256_CTX *state, uint8_t digest[32]) { (void)SHA256_Final(digest, state); }

static inline void clibcrypto_md5_begin(MD5_CTX *state) { (void)MD5_Init(state); }
static inline void clibcrypto_md5_add(MD5_CTX *state, const void *bytes, size_t count) {
  (void)MD5_Update(state, bytes, count);
}
static inline void clibcrypto_md5_end(MD5_CTX *state, uint8_t digest[16]) { (void)MD5_Final(digest, state); }

// Writes the HMAC-SHA-256 (RFC 2104) of a message; 1, or 0 where there is no memory for it.
int clibcrypto_hmac_sha256(
  const void *key, size_t key_count, const void *message, size_t message_count, uint8_t code[32]);

// Whether so many bytes are equal, in a time that depends on their number alone.
int clibcrypto_equal(const void *left, const void *right, size_t count);

// ChaCha20-Poly1305 (RFC 8439) without additional data. `sealed` has room for `count` bytes and the tag of 16; `plain` for `count` less 16.
// 1, or 0: for `open`, if the tag is not the one of these bytes under this key and nonce; `plain` then holds nothing of them.
int clibcrypto_chachapoly_seal(
  const uint8_t key[32], const uint8_t nonce[12], const void *plain, size_t count, uint8_t *sealed);
int clibcrypto_chachapoly_open(
  const uint8_t key[32], const uint8_t nonce[12], const uint8_t *sealed, size_t count, uint8_t *plain);

// Overwrites bytes in a way that no compiler leaves out.
void clibcrypto_erase(void *bytes, size_t count);

#endif
