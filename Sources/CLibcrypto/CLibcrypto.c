#include "CLibcrypto.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

enum { tag_count = 16 };

// Algorithms are those that are linked in: a configuration file of the machine's OpenSSL is not for this copy of it.
static int begin(void) { return OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL); }

int clibcrypto_hmac_sha256(
  const void *key, size_t key_count, const void *message, size_t message_count, uint8_t code[32]) {
  static const uint8_t none = 0;
  if (key_count > INT_MAX || !begin()) return 0;
  // A key of no bytes is one; without an address it would mean the key of a context.
  return HMAC(
           EVP_sha256(), key_count == 0 ? &none : key, (int)key_count, message, message_count, code, NULL) != NULL;
}

int clibcrypto_equal(const void *left, const void *right, size_t count) { return CRYPTO_memcmp(left, right, count) == 0; }

int clibcrypto_chachapoly_seal(
  const uint8_t key[32], const uint8_t nonce[12], const void *plain, size_t count, uint8_t *sealed) {
  if (count > INT_MAX || !begin()) return 0;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int written = 0, rest = 0;
  int done = context != NULL && EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), NULL, key, nonce) == 1 &&
             (count == 0 || EVP_EncryptUpdate(context, sealed, &written, plain, (int)count) == 1) &&
             EVP_EncryptFinal_ex(context, sealed + written, &rest) == 1 &&
             EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_count, sealed + count) == 1;
  EVP_CIPHER_CTX_free(context);
  return done;
}

int clibcrypto_chachapoly_open(
  const uint8_t key[32], const uint8_t nonce[12], const uint8_t *sealed, size_t count, uint8_t *plain) {
  if (count < tag_count || count > INT_MAX || !begin()) return 0;
  size_t plain_count = count - tag_count;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int written = 0, rest = 0;
  // The tag is only read, though its parameter is not const.
  int done =
    context != NULL && EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), NULL, key, nonce) == 1 &&
    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_count, (void *)(sealed + plain_count)) == 1 &&
    (plain_count == 0 || EVP_DecryptUpdate(context, plain, &written, sealed, (int)plain_count) == 1) &&
    EVP_DecryptFinal_ex(context, plain + written, &rest) == 1;
  EVP_CIPHER_CTX_free(context);
  // What was deciphered before the tag was compared is nobody's text.
  if (!done) OPENSSL_cleanse(plain, plain_count);
  return done;
}

void clibcrypto_erase(void *bytes, size_t count) { OPENSSL_cleanse(bytes, count); }
