/* SPDX-License-Identifier: MIT */
/* embedded.S - openapi.json, as it is, among the constants of the command. */
    .section .rodata
    .globl ddn_openapi
    .globl ddn_openapi_end
ddn_openapi:
    .incbin OPENAPI
ddn_openapi_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
