// SPDX-License-Identifier: LGPL-2.1
/* Describes the plug-in and its component class to Babeltrace. */
#include <babeltrace2/babeltrace.h>

#include "iterator.h"
#include "source.h"
#include "support.h"

BT_PLUGIN_MODULE();

BT_PLUGIN(lkst);
BT_PLUGIN_DESCRIPTION("Traces of LKST, the Linux Kernel State Tracer");
BT_PLUGIN_AUTHOR("the LKST maintainers");
BT_PLUGIN_LICENSE("LGPL-2.1");

BT_PLUGIN_SOURCE_COMPONENT_CLASS(trace, iterator_next);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_DESCRIPTION(
	trace, "Read trace files of LKST, or LKST's data in a memory image");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_HELP(trace, "See babeltrace2-source.lkst.trace(7).");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_INITIALIZE_METHOD(trace, source_initialize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_FINALIZE_METHOD(trace, source_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_QUERY_METHOD(trace, support_query);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(trace,
									  iterator_initialize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(trace, iterator_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(
	trace, iterator_seek_beginning, iterator_can_seek_beginning);
