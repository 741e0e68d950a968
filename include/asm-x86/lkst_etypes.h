/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event types that only x86 has; see linux/lkst_etypes.h. User Mode Linux, which
 * borrows headers from x86, has none of them.
 */
#ifdef CONFIG_X86
LKST_ETYPE_DEF(0x019, UNDEF, INT_TIMER_ENTRY, "int_timer_entry",
	       "vector:hex", "", "", "")
LKST_ETYPE_DEF(0x01a, UNDEF, INT_TIMER_EXIT, "int_timer_exit",
	       "vector:hex", "", "", "")
LKST_ETYPE_DEF(0x01b, UNDEF, INT_IPI_ENTRY, "int_ipi_entry",
	       "vector:hex", "", "", "")
LKST_ETYPE_DEF(0x01c, UNDEF, INT_IPI_EXIT, "int_ipi_exit",
	       "vector:hex", "", "", "")
LKST_ETYPE_DEF(0x01d, UNDEF, INT_NMI, "int_nmi",
	       "handler:ptr", "duration_ns:dec", "handled:dec", "")
#endif
