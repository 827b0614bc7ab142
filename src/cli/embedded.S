/* SPDX-License-Identifier: MIT */
/* embedded.S - models/english.model, as it is, among the constants of the command. */
    .section .rodata
    .balign 64
    .globl ddn_embedded_model
    .globl ddn_embedded_model_end
ddn_embedded_model:
    .incbin EMBEDDED_MODEL
ddn_embedded_model_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
