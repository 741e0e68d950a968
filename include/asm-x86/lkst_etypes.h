/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event types that only x86 has; see linux/lkst_etypes.h. User Mode Linux uses
 * the headers of x86, but has none of these events.
 */
#ifdef CONFIG_X86
LKST_ETYPE_DEF(0x019, UNDEF, INT_TIMER_ENTRY, "int_timer_entry",
	       "vector:vec", "ip:sym", "", "")
LKST_ETYPE_DEF(0x01a, UNDEF, INT_TIMER_EXIT, "int_timer_exit",
	       "vector:vec", "", "", "")
LKST_ETYPE_DEF(0x01b, UNDEF, INT_IPI_ENTRY, "int_ipi_entry",
	       "vector:vec", "", "", "")
LKST_ETYPE_DEF(0x01c, UNDEF, INT_IPI_EXIT, "int_ipi_exit",
	       "vector:vec", "", "", "")
LKST_ETYPE_DEF(0x01d, UNDEF, INT_NMI, "int_nmi",
	       "handler:sym", "duration_ns:dec", "handled:dec", "")
LKST_ETYPE_DEF(0x020, INLINE, EXCEPTION_ENTRY, "exception_entry",
	       "trap:trap,error_code:hex", "ip:sym", "address:hex", "")
LKST_ETYPE_DEF(0x021, INLINE, EXCEPTION_EXIT, "exception_exit",
	       "trap:trap,error_code:hex", "ip:sym", "", "")
LKST_ETYPE_DEF(0x022, UNDEF, EXCEPTION_PGFAULT, "exception_pgfault",
	       "address:hex", "ip:sym", "error_code:pfcode,user:dec", "")
LKST_ETYPE_DEF(0x0b6, UNDEF, OOPS_MCE, "oops_mce",
	       "bank:udec,cpu:cpu", "status:hex", "address:hex", "misc:hex")
#endif
