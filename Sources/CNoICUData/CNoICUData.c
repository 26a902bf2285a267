// The table of contents of an ICU data package that holds nothing.
//
// Foundation brings ICU, and ICU its data: 34 MB in each program, for locales, calendars, collation and converters, of which no code of ours
// asks anything (Sources imports no Foundation). ICU's library finds its data by this name; as it is defined here, the linker takes no
// other. What would need the data then fails as ICU documents it for a build without data (U_MISSING_RESOURCE_ERROR).
//
// Source: the ICU user guide, "ICU Data", on the stub library; udata.h and ucmndata.h for the layout. The number is ICU's version in this release of
// Swift: ProgramSizeTests tells when it is another.
#include <stdint.h>

struct empty_package {
  uint16_t header_size;
  uint8_t magic[2];
  // UDataInfo
  uint16_t info_size, reserved;
  uint8_t is_big_endian, charset_family, char_size, reserved_byte;
  uint8_t format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  // The table of contents.
  uint32_t count, reserved_count;
};

__attribute__((aligned(16))) const struct empty_package icudt76_dat = {
  .header_size = 32,
  .magic = {0xda, 0x27},
  .info_size = 20,
  .is_big_endian = 0,
  .charset_family = 0,
  .char_size = 2,
  .format = {'C', 'm', 'n', 'D'},
  .format_version = {1},
  .data_version = {76, 1},
};
